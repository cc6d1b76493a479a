/** Creation of the collector's threads. */
package org.fedometer.collector.threads;
