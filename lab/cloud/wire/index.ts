export { parseRequest, type ApiRequest, type RawRequest, type WireForm } from "./request";
export {
    NonceMemory,
    authenticate,
    signV1,
    stringToSignV1,
    stringToSignV3,
    type KeyBook,
    type KeyPair,
} from "./signature";
export { listenOnOnePort, type OnePort } from "./port";
