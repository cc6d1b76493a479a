/**
 * Segments: append-only files in which a run's frames are durable until they are sealed to Parquet.
 * The collector writes them; the sealer and the collector's recovery read them.
 */
package org.fedometer.store.segment;
