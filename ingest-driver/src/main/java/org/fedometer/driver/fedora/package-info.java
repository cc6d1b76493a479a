/**
 * Fedora's REST interface, seen from outside: {@link org.fedometer.driver.fedora.FedoraClient} is a
 * pool of connections, {@link org.fedometer.driver.fedora.FedoraSession} what one worker asks and
 * what it is answered. Judges no answer and asks nothing twice.
 */
package org.fedometer.driver.fedora;
