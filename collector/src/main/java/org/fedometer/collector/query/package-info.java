/** Executes readers' queries on the store, a few at a time, on threads separate from ingestion. */
package org.fedometer.collector.query;
