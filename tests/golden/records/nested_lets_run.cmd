planc check nested_lets.plan
planc test nested_lets.plan
planc debug ir nested_lets.plan | grep -A 1 'inner with'
planc why nested_lets.plan two.inner.deep.z
