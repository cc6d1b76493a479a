/**
 * {@code transport=log4j2}: what was measured as events for a Log4j2 receiver, by a Log4j2 that
 * Fedora never meets. {@code docs/developers/protocol.md} describes the events.
 */
package org.fedometer.agent.core.log4j2;
