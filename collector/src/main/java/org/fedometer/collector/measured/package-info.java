/**
 * What agents tell by Log4j2 instead of the wire, made into frames again: see {@code
 * docs/developers/protocol.md}. Belongs to the network's event loop.
 */
package org.fedometer.collector.measured;
