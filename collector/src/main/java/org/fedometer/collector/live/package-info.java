/** Data available before it is sealed. */
package org.fedometer.collector.live;
