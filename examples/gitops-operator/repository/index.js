// Every Service in manifests/ of type LoadBalancer; the Stack resource configures it.
exports.services = require("ack-loadbalancer/stack").services;
