/** How a collector's own threads are made. */
package org.fedometer.collector.threads;
