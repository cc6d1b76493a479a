/**
 * Durability: one thread takes everything that arrived, appends it to the runs' segments, puts them
 * on disk together and only then acknowledges. Knows nothing of the network.
 */
package org.fedometer.collector.segmentlog;
