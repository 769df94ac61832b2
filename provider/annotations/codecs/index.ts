/** The kinds of annotation values. */
export { isDnsLabel, isDnsName, isIpv4 } from "./dns";
export { identifier, identifierList, identifiers, isMasked, UNKNOWN_REFERENCE } from "./identifier";
export { labels, tags } from "./map";
export { integer } from "./number";
export {
    domainExtensions,
    forwardPorts,
    httpCodes,
    listenerPortRanges,
    nlbGroupPorts,
    nlbProtocolPorts,
    protocolPorts,
    vgroupPorts,
} from "./pairs";
export {
    anything,
    checkDomain,
    cookie,
    hostname,
    instanceName,
    ipv4,
    nlbCheckDomain,
    specification,
    tlsPolicy,
    uri,
    zone,
} from "./texts";
export { refused, type Reading, type Refusal, type ValueType } from "./type";
export { anyCase, onOff, oneOf } from "./word";
export { zoneMaps } from "./zones";
