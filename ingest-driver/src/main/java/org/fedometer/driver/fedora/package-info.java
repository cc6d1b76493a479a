/**
 * Fedora's REST interface: {@link org.fedometer.driver.fedora.FedoraClient} is a pool of
 * connections, {@link org.fedometer.driver.fedora.FedoraSession} one worker's requests and
 * responses. Does not judge responses; only read-only queries are retried.
 */
package org.fedometer.driver.fedora;
