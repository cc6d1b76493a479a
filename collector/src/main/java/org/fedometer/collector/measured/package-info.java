/**
 * What agents tell by Log4j2 instead of the wire, made into frames again: see {@code
 * docs/log4j2.md}. Belongs to the network's event loop.
 */
package org.fedometer.collector.measured;
