//! Tests of `src/mcp/places.rs`.

use reelm::mcp::places::*;

#[test]
fn an_address_comes_back_from_its_uri_and_nonsense_does_not() {
    for address in ["/", "/court", "/a b/ü", "@ada", "@ada/.inbox", "/court@judith", "/100%"] {
        assert_eq!(address_of(&uri_of(address)).unwrap(), address);
    }
    assert_eq!(uri_of("/court"), "reelm:///court");
    for uri in ["", "/court", "reelm://other/court", "http:///court", "reelm:///%", "reelm:///%4", "reelm:///%zz", "reelm:///%+f"] {
        assert!(address_of(uri).is_err(), "{uri}");
    }
}
