/**
 * Files of a stack: its folders, its document, its secrets, and the lock that only one process
 * holds.
 */
package org.fedometer.profiles.stack.home;
