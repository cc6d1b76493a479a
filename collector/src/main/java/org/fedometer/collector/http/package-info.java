/** The collector's HTTP endpoint: health, metrics and dashboard. */
package org.fedometer.collector.http;
