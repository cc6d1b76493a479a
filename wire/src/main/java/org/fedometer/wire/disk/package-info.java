/** Files and folders that survive a power loss. */
package org.fedometer.wire.disk;
