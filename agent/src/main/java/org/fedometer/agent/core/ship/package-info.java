/**
 * From the rings of Fedora's threads to the collector's client: the drainer, and the packing of
 * samples, lines and readings into frames.
 */
package org.fedometer.agent.core.ship;
