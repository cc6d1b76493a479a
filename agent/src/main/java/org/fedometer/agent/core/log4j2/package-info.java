/**
 * {@code transport=log4j2}: measured data as events for a Log4j2 receiver, by a Log4j2 isolated
 * from Fedora. {@code docs/developers/protocol.md} describes the events.
 */
package org.fedometer.agent.core.log4j2;
