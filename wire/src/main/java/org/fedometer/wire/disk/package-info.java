/** Files and folders that outlive a loss of power. */
package org.fedometer.wire.disk;
