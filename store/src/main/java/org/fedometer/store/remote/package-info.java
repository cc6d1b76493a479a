/** Remote access to a collector's store, with the interfaces of a local one. */
package org.fedometer.store.remote;
