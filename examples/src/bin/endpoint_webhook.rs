//! Converts `Endpoint` between `v1beta1` and `v1` where the API server asks: the whole of a webhook.
//!
//! `endpoint_webhook /etc/webhook` serves port 8443 with `tls.crt` and `tls.key` of that directory, as a
//! mounted Secret has them; a second argument is another address, such as `127.0.0.1:0` for any free port.
//! The CRD names the service `endpoint-conversion` in `default`, path `/convert`: the certificate is for
//! `endpoint-conversion.default.svc`.

use std::error::Error;
use std::io::{self, Write as _};
use std::{env, process::ExitCode};

use crd_examples::host_port::converter;
use crd_runtime::webhook::{CertificateFiles, Server, shutdown_signal};

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let directory = args.next().unwrap_or_else(|| "/etc/webhook".to_owned());
    let mut server = Server::new(CertificateFiles::in_directory(directory))
        .convert("/convert", converter())
        .notify(|event| log(&event.to_string()));
    if let Some(address) = args.next() {
        server = server.listen(address.parse::<std::net::SocketAddr>()?);
    }
    let bound = server.bind().await?;
    log(&format!("listening on {}", bound.address()));
    bound.serve(shutdown_signal()).await;
    Ok(())
}

fn log(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
