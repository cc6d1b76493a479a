/**
 * One request, from its intended start to its outcome: {@link
 * org.fedometer.driver.request.Attempts} has the rules for judging and retrying, {@link
 * org.fedometer.driver.request.CircuitBreaker} holds requests while Fedora is away, and {@link
 * org.fedometer.driver.request.RequestListener} gets each event.
 */
package org.fedometer.driver.request;
