//! Where a PostgreSQL server is and how it is spoken to: `postgresql://user:password@host:port/database?…`.
//!
//! Beside the parameters that every PostgreSQL client knows (`host`, `port`, `options`, `target_session_attrs`, …):
//! `sslmode` is `disable`, `prefer` (the default: encrypted if the server can) or `require`; `verify-ca` and `verify-full`
//! mean `require` here, for whatever is encrypted is verified, certificate and name. `sslrootcert` names a file with the
//! authorities to trust instead of the well-known ones.

use crate::error::StoreError;
use percent_encoding::percent_decode_str;
use postgres::config::SslMode;
use postgres::{Client, Config};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres_rustls::MakeRustlsConnect;

/// A server, and everything needed to connect to it. Says nothing of the password when shown.
#[derive(Clone)]
pub(crate) struct Target {
    config: Config,
    tls: MakeRustlsConnect,
}

impl Target {
    /// Reads an address.
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        let wrong = |why: String| StoreError::Inconsistent(format!("the database's address: {why}"));
        let (plain, own) = url.split_once('?').unwrap_or((url, ""));
        let mut query = Vec::new();
        let mut authorities = None;
        for pair in own.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslrootcert", file)) => {
                    let file = percent_decode_str(file).decode_utf8();
                    authorities = Some(file.map_err(|error| wrong(error.to_string()))?.into_owned());
                }
                Some(("sslmode", "verify-ca" | "verify-full")) => query.push("sslmode=require"),
                _ => query.push(pair),
            }
        }
        let rest = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        let mut config: Config =
            format!("{plain}{rest}").parse().map_err(|error: postgres::Error| wrong(super::text(&error)))?;
        if authorities.is_some() && config.get_ssl_mode() == SslMode::Prefer {
            config.ssl_mode(SslMode::Require);
        }
        // A server that cannot be reached is to be noticed within seconds, one that went silent within half a minute.
        config.connect_timeout(Duration::from_secs(5));
        config.keepalives_idle(Duration::from_secs(15));
        config.tcp_user_timeout(Duration::from_secs(25));
        if config.get_application_name().is_none() {
            config.application_name("pensaer");
        }
        Ok(Self { config, tls: tls(authorities.as_deref()).map_err(wrong)? })
    }

    pub(super) fn connect(&self) -> Result<Client, StoreError> {
        Ok(self.config.connect(self.tls.clone())?)
    }
}

fn tls(authorities: Option<&str>) -> Result<MakeRustlsConnect, String> {
    let mut roots = RootCertStore::empty();
    match authorities {
        Some(file) => {
            let certificates =
                CertificateDer::pem_file_iter(file).map_err(|error| format!("{file}: {error}"))?;
            for certificate in certificates {
                let certificate = certificate.map_err(|error| format!("{file}: {error}"))?;
                roots.add(certificate).map_err(|error| format!("{file}: {error}"))?;
            }
            if roots.is_empty() {
                return Err(format!("{file}: there is no certificate in it"));
            }
        }
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
    }
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_say_whom_to_trust_and_then_nothing_goes_unencrypted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a b.pem");
        std::fs::write(&file, "nothing").unwrap();
        let path = file.to_str().unwrap().replace(' ', "%20");
        let error =
            Target::parse(&format!("postgresql://db.example.org/p?sslrootcert={path}")).err().unwrap();
        assert!(error.to_string().contains("a b.pem"), "{error}");
        let error = Target::parse("postgresql://db/p?sslrootcert=%zz").err().unwrap();
        assert!(error.to_string().contains("%zz"), "{error}");
    }

    #[test]
    fn sslmode_is_read_as_other_clients_read_it() {
        for (url, mode) in [
            ("postgresql://ada@db/p", SslMode::Prefer),
            ("postgres://ada@db/p?sslmode=disable", SslMode::Disable),
            ("postgresql://ada@db/p?application_name=x&sslmode=verify-full", SslMode::Require),
            ("postgresql://ada@db/p?sslmode=require", SslMode::Require),
        ] {
            assert_eq!(Target::parse(url).unwrap().config.get_ssl_mode(), mode, "{url}");
        }
    }

    #[test]
    fn an_address_with_a_slip_says_which() {
        let error = Target::parse("postgresql://ada@db/p?sslmod=require").err().unwrap();
        assert!(error.to_string().contains("sslmod"), "{error}");
    }
}
