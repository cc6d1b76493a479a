/** Keys and certificates of a session, from PEM files. */
package org.fedometer.wire.tls;
