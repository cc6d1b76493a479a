/**
 * Receives data of stock Log4j2 appenders: splits it into events and passes them to the segment log
 * as log lines, one source per sending host. Never deserializes objects.
 */
package org.fedometer.collector.logs;
