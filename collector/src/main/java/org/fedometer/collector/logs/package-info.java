/**
 * Takes what stock Log4j2 appenders send: cuts it into events, reads them, and hands them to the
 * journal as log lines of one source for each sending host. Nothing is ever deserialised.
 */
package org.fedometer.collector.logs;
