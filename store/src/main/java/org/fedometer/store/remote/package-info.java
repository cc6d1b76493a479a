/** A store that a collector far away has, asked over the wire as if it were here. */
package org.fedometer.store.remote;
