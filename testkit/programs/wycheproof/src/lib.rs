//! Empty: cargo wants a source.
