/** What can be asked before it is sealed. */
package org.fedometer.collector.live;
