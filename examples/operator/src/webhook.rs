//! The server of the conversion webhook.

use crd_webhook::{CertificateFiles, Server};

use crate::versions::converter;

/// Creates the server that converts websites for the API server.
pub fn server(certificates: CertificateFiles) -> Server {
    Server::new(certificates).convert("/convert", converter())
}
