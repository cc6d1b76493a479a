/**
 * Programs of others as processes of this host: unpacked, run, watched, ended; and how it is told
 * that one of them would not.
 */
package org.fedometer.profiles.stack.program;
