/** What the collector tells by HTTP: whether it is well, and its figures. */
package org.fedometer.collector.http;
