/**
 * Converts agents' Log4j2 events to frames, as on the wire: see {@code
 * docs/developers/protocol.md}. Confined to the network's event loop.
 */
package org.fedometer.collector.measured;
