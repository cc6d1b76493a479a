/**
 * Converts agents' Log4j2 events to frames, as on the wire: see {@code docs/log4j2.md}. Confined to
 * the network's event loop.
 */
package org.fedometer.collector.measured;
