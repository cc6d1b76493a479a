/**
 * Exports data to InfluxDB: live, and later from the store. Both produce the same points, so an
 * export completes live data.
 */
package org.fedometer.collector.influx;
