/* hardware.c - names and widths that belong to machines. */

#include "runtime/engine/hardware.h"

static const char *const kernel_names[KERNEL_COUNT] = {
	"default", "matmul",      "fp8_matmul",  "group_matmul", "fp8_group_matmul", "sdp_fwd",
	"sdp_bwd", "permute_fwd", "permute_bwd", "ce",           "ce_fusion",
};

const char *kernel_name(enum kernel kernel)
{
	return kernel_names[kernel];
}

enum kernel kernel_find(const char *name, size_t n)
{
	for (int k = 0; k < KERNEL_COUNT; k++)
		if (strlen(kernel_names[k]) == n && memcmp(kernel_names[k], name, n) == 0)
			return (enum kernel)k;
	return KERNEL_COUNT;
}

int64_t dtype_bits(enum engine_dtype dtype)
{
	static const int64_t bits[DTYPE_COUNT] = { 32, 32, 16, 16, 8, 8, 8, 4, 4, 4 };

	return bits[dtype];
}

bool link_is_network(enum link_kind kind)
{
	return kind >= LINK_INFINIBAND;
}
