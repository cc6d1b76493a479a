/** Fedora itself: its installer, its configuration and its process. */
package org.fedometer.profiles.stack.fedora;
