export { services } from "ack-loadbalancer/stack";
