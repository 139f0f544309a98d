# The plans of the library and the examples are laid out. Where one is named here: planc fmt FILE
planc fmt --check ../../../stdlib/*.plan ../../../stdlib/*/*.plan ../../../examples/*.plan
