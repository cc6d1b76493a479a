/**
 * Hands what the collector takes in on to an InfluxDB: live, and later from the store. Both make
 * the same points, so that one fills what the other has left out.
 */
package org.fedometer.collector.influx;
