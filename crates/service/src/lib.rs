//! The one door: every call is authenticated, authorised, validated, run, committed and audited here.
