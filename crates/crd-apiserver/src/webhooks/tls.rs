//! Verifies the certificates of webhooks, as Go's `x509.Certificate.Verify` does.

use std::sync::Arc;

use kube::Config;
use kube::client::ConfigExt as _;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

/// Returns the configuration for a webhook with this `caBundle`. If it is empty, the authorities of the system are
/// trusted.
///
/// # Errors
/// If the bundle cannot be read.
pub(super) fn client_config(config: &Config, ca_bundle: &[u8]) -> Result<ClientConfig, String> {
    let mut tls = config.rustls_client_config().map_err(|error| error.to_string())?;
    if ca_bundle.is_empty() {
        return Ok(tls);
    }
    let unreadable =
        |error: &dyn ToString| format!("unable to load root certificates: {}", error.to_string());
    let trusted: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(ca_bundle)
        .collect::<Result<_, _>>()
        .map_err(|error| unreadable(&error))?;
    let mut roots = RootCertStore::empty();
    for certificate in &trusted {
        roots.add(certificate.clone()).map_err(|error| unreadable(&error))?;
    }
    let provider = Arc::clone(tls.crypto_provider());
    let chains = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
        .build()
        .map_err(|error| unreadable(&error))?;
    tls.dangerous().set_certificate_verifier(Arc::new(Verifier { chains, trusted }));
    Ok(tls)
}

/// Accepts a chain to a trusted authority, or a certificate that is trusted itself: one that signs itself, or a leaf.
#[derive(Debug)]
struct Verifier {
    chains: Arc<WebPkiServerVerifier>,
    trusted: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = self.chains.verify_server_cert(
            end_entity,
            intermediates,
            server_name,
            ocsp_response,
            now,
        );
        match verified {
            // The time of validity has been checked before the place in a chain.
            Err(Error::InvalidCertificate(
                CertificateError::UnknownIssuer | CertificateError::Other(_),
            )) if self.trusted.iter().any(|trusted| trusted == end_entity) => {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.chains.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.chains.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.chains.supported_verify_schemes()
    }
}
