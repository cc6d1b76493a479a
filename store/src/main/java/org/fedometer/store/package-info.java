/**
 * The run store: one folder per run, with Parquet files, queried by SQL. {@code
 * docs/store-and-query.md} describes the folder and the columns. Only the collector writes a store;
 * any number of processes may read one at the same time.
 */
package org.fedometer.store;
