export { makeCertificate, type Certificate, type CertificateRequest } from "./certificate";
