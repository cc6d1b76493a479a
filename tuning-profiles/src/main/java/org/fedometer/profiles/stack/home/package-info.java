/**
 * What a stack has on disk: its folders, the document that says what it is made of, its secrets,
 * and the lock that only one process has.
 */
package org.fedometer.profiles.stack.home;
