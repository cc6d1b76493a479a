/**
 * Receives frames, makes them durable, acknowledges them and adds them to the store. {@link
 * org.fedometer.collector.CollectorServer} is the collector of this process; {@link
 * org.fedometer.collector.BackgroundCollector} starts or reuses one in another process.
 */
package org.fedometer.collector;
