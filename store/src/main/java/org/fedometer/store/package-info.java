/**
 * The run store: one folder a run, Parquet files in it, questions asked by SQL. {@code
 * docs/store-and-query.md} describes the folder and the columns. Only the collector writes a store;
 * any number of processes may read one meanwhile.
 */
package org.fedometer.store;
