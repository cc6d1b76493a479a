/**
 * Durability: one thread appends all received data to the runs' segments, syncs them together and
 * only then acknowledges. Independent of the network.
 */
package org.fedometer.collector.segmentlog;
