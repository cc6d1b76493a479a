/**
 * Writes Parquet files of flat tables without nulls. Small, because it supports only the needs of
 * samples. Also detects truncated Parquet files.
 */
package org.fedometer.store.parquet;
