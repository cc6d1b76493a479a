/**
 * Writes Parquet files of flat tables whose columns are never null. Small, because it writes what
 * samples need and nothing else.
 */
package org.fedometer.store.parquet;
