//! Certificates for servers on loopback.

use std::path::Path;
use std::{fs, io};

use crd_webhook::CertificateFiles;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};

/// A certificate authority for tests.
#[derive(Debug)]
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    /// Creates an authority.
    ///
    /// # Errors
    /// If no key can be generated.
    pub fn new() -> io::Result<Self> {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "tests");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let pem = params.self_signed(&key).map_err(io::Error::other)?.pem();
        Ok(Self { issuer: Issuer::new(params, key), pem })
    }

    /// The authority's certificate, for clients to trust.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// Writes a certificate for loopback that signs itself, and its key, into a directory, and returns the certificate
    /// too. `is_ca` is whether it may sign others, as that of `openssl req -x509` may.
    ///
    /// # Errors
    /// If the certificate cannot be created or a file cannot be written.
    pub fn self_signed(directory: &Path, is_ca: bool) -> io::Result<(CertificateFiles, String)> {
        fs::create_dir_all(directory)?;
        let names = ["localhost", "127.0.0.1"].map(str::to_owned);
        let mut params = CertificateParams::new(names).map_err(io::Error::other)?;
        if is_ca {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        }
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let certificate = params.self_signed(&key).map_err(io::Error::other)?.pem();
        let files = CertificateFiles::in_directory(directory);
        fs::write(&files.certificate, &certificate)?;
        fs::write(&files.key, key.serialize_pem())?;
        Ok((files, certificate))
    }

    /// Writes a certificate for loopback and its key into a directory.
    ///
    /// # Errors
    /// If the certificate cannot be created or a file cannot be written.
    pub fn issue(&self, directory: &Path) -> io::Result<CertificateFiles> {
        fs::create_dir_all(directory)?;
        let names = ["localhost", "127.0.0.1"].map(str::to_owned);
        let params = CertificateParams::new(names).map_err(io::Error::other)?;
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let certificate = params.signed_by(&key, &self.issuer).map_err(io::Error::other)?;
        let files = CertificateFiles::in_directory(directory);
        fs::write(&files.certificate, certificate.pem())?;
        fs::write(&files.key, key.serialize_pem())?;
        Ok(files)
    }
}
