//! The certificates of a server that listens with TLS: an authority that only this server has, and a certificate that it
//! signs. Clients in other languages refuse a certificate that is its own authority.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// The names of the server besides its addresses. Source: `GetAPIServerAltNames` of kubeadm, without the node's.
const NAMES: [&str; 6] =
    ["localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];

/// Makes the certificate of a server that listens on an address. Returns what accepts connections with it, and the
/// authority that signed it, as PEM.
pub(super) fn acceptor(address: IpAddr) -> io::Result<(TlsAcceptor, String)> {
    let (issuer, authority) = authority().map_err(io::Error::other)?;
    let certificate = certificate(&issuer, address).map_err(io::Error::other)?;
    let (certificate, key) = certificate;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| {
            config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key)
        })
        .map_err(io::Error::other)?;
    config.alpn_protocols = [&b"h2"[..], b"http/1.1"].map(<[u8]>::to_vec).to_vec();
    Ok((TlsAcceptor::from(Arc::new(config)), authority))
}

fn authority() -> Result<(Issuer<'static, KeyPair>, String), rcgen::Error> {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "crd-apiserver-ca");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
    let key = KeyPair::generate()?;
    let pem = params.self_signed(&key)?.pem();
    Ok((Issuer::new(params, key), pem))
}

fn certificate(
    issuer: &Issuer<'static, KeyPair>,
    address: IpAddr,
) -> Result<(rcgen::Certificate, KeyPair), rcgen::Error> {
    let mut names = NAMES.map(str::to_owned).to_vec();
    if !address.is_unspecified() && !address.is_loopback() {
        names.push(address.to_string());
    }
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name.push(DnType::CommonName, "crd-apiserver");
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate()?;
    Ok((params.signed_by(&key, issuer)?, key))
}
