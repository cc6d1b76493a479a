/**
 * Writes Parquet files of flat tables whose columns are never null. Small, because it writes what
 * samples need and nothing else. Also tells whether a Parquet file is whole.
 */
package org.fedometer.store.parquet;
