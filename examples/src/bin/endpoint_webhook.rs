//! Converts `Endpoint` between `v1beta1` and `v1` where the API server asks: the whole of a webhook.
//!
//! `endpoint_webhook /etc/webhook` serves port 8443 with `tls.crt` and `tls.key` of that directory, as a
//! mounted Secret has them. The CRD names the service `endpoint-conversion` in `default`, path `/convert`: the
//! certificate is for `endpoint-conversion.default.svc`.

use std::io::{self, Write as _};
use std::{env, process::ExitCode};

use crd_examples::host_port::converter;
use crd_runtime::webhook::{CertificateFiles, Server, shutdown_signal};

#[tokio::main]
async fn main() -> ExitCode {
    let directory = env::args().nth(1).unwrap_or_else(|| "/etc/webhook".to_owned());
    let server = Server::new(CertificateFiles::in_directory(directory))
        .convert("/convert", converter())
        .notify(|event| log(&event.to_string()));
    match server.run(shutdown_signal()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn log(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
