//! The server's certificate and key, read from files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::Error;

/// The largest file that is read, in bytes: the size limit of a Secret.
const MAX_FILE: u64 = 1024 * 1024;

/// The PEM files of the certificate and its key, as in a mounted Secret of type `kubernetes.io/tls`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CertificateFiles {
    /// The server's certificate, followed by intermediate certificates.
    pub certificate: PathBuf,
    /// The certificate's private key: PKCS #8, PKCS #1 or SEC 1.
    pub key: PathBuf,
}

impl CertificateFiles {
    /// Uses these two files.
    pub fn new(certificate: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        Self { certificate: certificate.into(), key: key.into() }
    }

    /// Uses `tls.crt` and `tls.key` in a directory.
    pub fn in_directory(directory: impl AsRef<Path>) -> Self {
        let directory = directory.as_ref();
        Self::new(directory.join("tls.crt"), directory.join("tls.key"))
    }

    /// Reads both files.
    pub(super) fn read(&self) -> Result<Contents, Error> {
        let read = |path: &Path| {
            let metadata = fs::metadata(path).map_err(|error| unusable(path, error.to_string()))?;
            // Opening a named pipe would block until a process opens it for writing.
            if !metadata.is_file() {
                return Err(unusable(path, "is not a regular file".to_owned()));
            }
            if metadata.len() > MAX_FILE {
                return Err(unusable(path, format!("has more than {MAX_FILE} bytes")));
            }
            fs::read(path).map_err(|error| unusable(path, error.to_string()))
        };
        Ok(Contents { certificate: read(&self.certificate)?, key: read(&self.key)? })
    }

    /// Parses the contents.
    pub(super) fn parse(&self, contents: &Contents) -> Result<Arc<CertifiedKey>, Error> {
        let certificates: Vec<CertificateDer<'static>> =
            CertificateDer::pem_slice_iter(&contents.certificate)
                .collect::<Result<_, _>>()
                .map_err(|error| unusable(&self.certificate, error.to_string()))?;
        if certificates.is_empty() {
            let reason = "holds no `-----BEGIN CERTIFICATE-----` block";
            return Err(unusable(&self.certificate, reason.to_owned()));
        }
        let key = PrivateKeyDer::from_pem_slice(&contents.key)
            .map_err(|error| unusable(&self.key, format!("holds no private key: {error}")))?;
        CertifiedKey::from_der(certificates, key, &ring::default_provider()).map(Arc::new).map_err(
            |error| {
                let certificate = self.certificate.display();
                unusable(&self.key, format!("is no key for {certificate}: {error}"))
            },
        )
    }
}

fn unusable(path: &Path, reason: String) -> Error {
    Error::Certificates { path: path.to_owned(), reason }
}

/// The bytes of the files.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

/// The certificate that is used for new connections.
#[derive(Debug)]
pub(super) struct CurrentCertificate(RwLock<Arc<CertifiedKey>>);

impl CurrentCertificate {
    pub(super) fn new(key: Arc<CertifiedKey>) -> Self {
        Self(RwLock::new(key))
    }

    pub(super) fn replace(&self, key: Arc<CertifiedKey>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = key;
    }
}

impl ResolvesServerCert for CurrentCertificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}
